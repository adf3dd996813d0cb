// What a run changed of that by which it is checked: a command says little when its tests, its scripts or their settings
// were changed by whoever is being checked. Nothing is run or read to find out, so it may name too much, never what is
// plainly named too little.
import { posix } from 'node:path';
import type { LeafVerification, Verification } from '../../shared/verification.ts';

/** Those of the changed paths that a command of the criterion plainly depends on, in their order. */
export function findChangedInputs(verification: Verification, changedPaths: readonly string[]): string[] {
  const named = toLeaves(verification).flatMap((leaf) => (leaf.kind === 'command' ? [toNamedPaths(leaf.argv)] : []));
  if (named.length === 0) return [];
  const isNamed = (path: string): boolean =>
    named.some((paths) => toSelfAndAbove(path).some((each) => paths.has(each)));
  return [...new Set(changedPaths)].filter((path) => isNamed(path) || isConventional(path));
}

function toLeaves(verification: Verification): readonly LeafVerification[] {
  if (verification.kind === 'none') return [];
  return verification.kind === 'all' ? verification.of : [verification];
}

/** Everything in an argument that could be a path, also within a line for a shell or behind a `=`. */
function toNamedPaths(argv: readonly string[]): ReadonlySet<string> {
  const words = argv.flatMap((argument) => [argument, ...argument.split(/[\s;&|<>()'"`=,:]+/)]);
  return new Set(words.filter((word) => word !== '').map((word) => posix.normalize(word).replace(/\/$/, '')));
}

/** `a/b/c` gives `a/b/c`, `a/b` and `a`. */
function toSelfAndAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** What tests and builds look for by itself. */
function isConventional(path: string): boolean {
  const name = posix.basename(path);
  return settings.test(name) || path.split('/').some((part) => toWords(part).some((word) => testWords.has(word)));
}

const settings = new RegExp(
  `^(${[
    /(package|deno|bunfig|composer|tsconfig.*|jsconfig.*)\.(jsonc?|toml)/,
    /(package-lock|npm-shrinkwrap)\.json|yarn\.lock|pnpm-(lock|workspace)\.yaml|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum/,
    /\.(npmrc|yarnrc.*|pnpmfile\.cjs|mocharc.*|babelrc.*|swcrc|nycrc.*|coveragerc|env.*)/,
    /(jest|vitest|vite|babel|karma|playwright|cypress|ava|webpack|rollup|eslint|biome)\.(.*\.)?([cm]?[jt]s|jsonc?)/,
    /(GNU)?[Mm]akefile|.*\.mk|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|Gemfile(\.lock)?|CMakeLists\.txt|meson\.build|Dockerfile/,
    /(pyproject|Cargo|Pipfile)\.toml|pytest\.ini|tox\.ini|setup\.(cfg|py)|noxfile\.py|conftest\.py|requirements.*\.txt|Pipfile/,
    /build\.rs|go\.(mod|work)|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradlew|mvnw/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
);

const testWords = new Set([
  'test',
  'tests',
  'testing',
  'testdata',
  'spec',
  'specs',
  'snapshots',
  'fixture',
  'fixtures',
]);

/** `AddTest.java` gives `add`, `test` and `java`. */
function toWords(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}
