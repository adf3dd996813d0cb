#!/usr/bin/env node
// The headless entry. It turns on the compile cache before anything else is loaded: half of a short run is start-up.
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
