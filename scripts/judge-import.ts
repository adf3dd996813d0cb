// Judges one import against the table: may this file use that module? The answer names the rule that refuses it, and
// where there is one, the right door.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type ImportRow, importTable, portFiles, reservedModules } from './import-table.ts';
import type { ImportSite } from './read-imports.ts';

/** The sentence that refuses the import, or null when it is allowed. `file` is relative to the source folder. */
export function judgeImport(file: string, site: ImportSite): string | null {
  const row = findRow(file);
  if (row === null) return 'lies in no place of scripts/import-table.ts';
  if (site.specifier === null) return 'the imported module is computed and cannot be checked';
  if (site.specifier.startsWith('.')) return judgeOwnModule(row, resolveModule(file, site.specifier), site.kind);
  return isBuiltin(site.specifier) ? judgeBuiltin(row, site.specifier) : judgePackage(row, site.specifier);
}

/** The imported file, relative to the source folder. */
export function resolveModule(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}

function findRow(file: string): ImportRow | null {
  return importTable.find((row) => file === row.place || file.startsWith(`${row.place}/`)) ?? null;
}

function judgeOwnModule(row: ImportRow, target: string, kind: ImportSite['kind']): string | null {
  if (target.startsWith('../')) return `${target} is outside the source folder`;
  const place = findRow(target)?.place ?? null;
  if (place === null) return `${target} lies in no place of scripts/import-table.ts`;
  if (place === row.place || row.may.includes(place)) return null;
  if (row.mayUseTypesOf?.includes(target)) {
    return kind === 'type' ? null : `${row.place} may import only types from ${target}`;
  }
  if (row.mayUsePortsOf?.includes(place)) {
    return portFiles.includes(target) ? null : `${row.place} may use ${place} only through its port, not ${target}`;
  }
  return `${row.place} may not import ${place}; it may import ${row.may.join(', ') || 'nothing outside itself'}`;
}

function judgeBuiltin(row: ImportRow, specifier: string): string | null {
  if (!specifier.startsWith('node:')) return `write node:${specifier} for a module of Node`;
  if (row.builtins === 'none') return `${row.place} may not use Node, but imports ${specifier}`;
  return judgeReserved(row, specifier.split('/')[0] ?? specifier);
}

function judgePackage(row: ImportRow, specifier: string): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (row.packages !== 'any' && !row.packages.includes(name)) {
    return `${row.place} may not import the package ${name}; it may import ${row.packages.join(', ')}`;
  }
  return judgeReserved(row, name);
}

function judgeReserved(row: ImportRow, name: string): string | null {
  const owners = Object.hasOwn(reservedModules, name) ? reservedModules[name] : undefined;
  if (owners === undefined || owners.includes(row.place)) return null;
  return `only ${owners.join(', ')} may import ${name}, not ${row.place}`;
}
