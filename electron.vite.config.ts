import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      // Pure JavaScript that every start needs: bundled it is one file to load instead of a hundred.
      externalizeDeps: { exclude: ['zod', 'eventsource-parser', 'jsonc-parser', 'undici'] },
      rolldownOptions: {
        // All but `main` stay free of `electron`: `engine` is forked by utilityProcess, the others run in plain Node.
        input: {
          main: 'src/main/index.ts',
          engine: 'src/engine/utility.ts',
          cli: 'src/cli/index.ts',
          library: 'src/engine/index.ts',
          'journal-worker': 'src/engine/journal/journal-worker.ts',
        },
        // Chunks lie beside the entries, so that `./journal-worker.js` is right wherever the engine's code ended up.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is one CommonJS file that may require only `electron`.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    build: { outDir: 'out/renderer', rolldownOptions: { input: { index: 'src/renderer/index.html' } } },
  },
});
