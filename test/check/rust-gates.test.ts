import { describe, expect, it } from 'vitest';
import { findSystemProgram } from '../../src/engine/process/find-system-program.ts';
import { checkIsolation, createCheckedWorkspace, createFailingSandbox } from '../support/checked-workspace.ts';

const hasRustc = findSystemProgram('rustc') !== null;
if (!hasRustc) console.log('SKIPPED: the tests of the Rust gates need rustc, which is not on this machine');

const timeout = 60_000;

describe.skipIf(!hasRustc)('the Rust compile gate (needs rustc)', { timeout }, () => {
  async function compile(content: string) {
    await using workspace = await createCheckedWorkspace({ 'src/my-lib.rs': content });
    return await workspace.check({ kind: 'rustCompiles', files: ['src/my-lib.rs'] });
  }

  it.each([
    ['private items', 'fn add(a: i32, b: i32) -> i32 { a + b }'],
    ['attributes and documentation of the crate', '//! Adds.\n#![allow(dead_code)]\nfn add() {}'],
    ['tests of its own', '#[cfg(test)] mod tests { #[test] fn a() {} }\npub fn b() {} // end'],
  ])('passes a file with %s', async (_title, content) => {
    expect(await compile(content)).toEqual({
      result: 'met',
      summary: 'Each of src/my-lib.rs compiles.',
      evidence: `Each of src/my-lib.rs compiles.\nisolation: ${checkIsolation}`,
      isolation: checkIsolation,
    });
  });

  it.each([
    ['has a type error', 'fn a() -> i32 { "no" }', 'mismatched types'],
    ['is configured away', '#![cfg(any())]\nfn a() -> i32 { "no" }', 'configured away'],
    ['is configured away indirectly', '#![cfg_attr(all(), cfg(any()))]\nfn a() -> i32 { "no" }', 'configured away'],
    ['ends in an attribute', 'fn a() {}\n#[cfg(any())]', 'expected item after attributes'],
    ['ends in a documentation comment', 'fn a() {}\n/// ', 'expected item after doc comment'],
    ['ends inside a module that is configured away', 'fn a() {}\n#[cfg(any())] mod x {', 'unclosed delimiter'],
    ['ends inside a comment', 'fn a() {}\n/* ', 'unterminated block comment'],
    ['ends inside a text', 'fn a() {}\nconst A: &str = "', 'unterminated double quote'],
  ])('does not pass a file that %s', async (_title, content, evidence) => {
    expect(await compile(content)).toMatchObject({ result: 'notMet', evidence: expect.stringContaining(evidence) });
  });

  it('stops at the first file that does not compile', async () => {
    await using workspace = await createCheckedWorkspace({ 'a.rs': '', 'b.rs': 'no', 'c.rs': 'no' });
    const report = await workspace.check({ kind: 'rustCompiles', files: ['a.rs', 'b.rs', 'c.rs'] });
    expect(report).toMatchObject({ result: 'notMet', summary: 'b.rs does not compile.' });
  });
});

const testSource = `
#[test] fn adds() { assert_eq!(add(1, 2), 3); }
mod more {
    use super::*;
    #[test] fn adds_again() { if add(2, 2) != 4 { panic!("wrong") } }
    mod deep { use crate::*; #[test] fn adds_from_the_crate() { assert!(add(1, 1) == 2); } }
}
`;

async function runTests(files: Record<string, string>, source = testSource) {
  await using workspace = await createCheckedWorkspace(files);
  return await workspace.check({ kind: 'rustTest', files: Object.keys(files), testSource: source });
}

describe.skipIf(!hasRustc)('the Rust test gate (needs rustc)', { timeout }, () => {
  it('passes a right subject, private items and documentation included', async () => {
    const files = {
      'src/add.rs':
        '//! Adds.\n#![allow(dead_code)]\nfn add(a: i32, b: i32) -> i32 { crate::sum(&[a, b]) }\nfn main() {}',
      'src/sum.rs': '//! Sums.\nuse std::{panic, vec};\nfn sum(all: &[i32]) -> i32 { all.iter().sum() }',
    };
    expect(await runTests(files)).toEqual({
      result: 'met',
      summary: '3 of 3 tests passed.',
      evidence: expect.stringContaining('test more::adds_again ... ok'),
      isolation: checkIsolation,
    });
  });

  it('lets the macros of one file be used in the next', async () => {
    const files = {
      'a.rs': 'macro_rules! plus { ($a:expr, $b:expr) => { $a + $b } }',
      'b.rs': 'fn add(a: i32, b: i32) -> i32 { plus!(a, b) }',
    };
    expect((await runTests(files)).result).toBe('met');
  });

  const wrong = 'fn add(_a: i32, _b: i32) -> i32 { 0 }';
  const empty = 'macro_rules! empty { ($($any:tt)*) => {} }';
  const hostile: [string, string][] = [
    ['is just wrong', wrong],
    ['redefines the assertion macros', `macro_rules! assert_eq { ($($any:tt)*) => {} } ${wrong}`],
    [
      'redefines every macro that the tests use',
      `${['assert', 'assert_eq', 'panic'].map((name) => `macro_rules! ${name} { ($($any:tt)*) => {} }`).join(' ')} ${wrong}`,
    ],
    ['exports its own assertion macro', `#[macro_export] macro_rules! assert_eq { ($($any:tt)*) => {} } ${wrong}`],
    [
      'renames macros to those of assertions',
      `${empty} pub(crate) use {empty as assert, empty as assert_eq, empty as panic}; ${wrong}`,
    ],
    ['renames a macro to panic', `${empty} pub(crate) use empty as panic; ${wrong}`],
    ['puts itself in the place of std', `extern crate self as std; ${wrong}`],
    ['names a module std', `mod std { ${empty} pub(crate) use empty as assert_eq; } ${wrong}`],
    ['replaces the test attribute', `pub(crate) use core::prelude::v1::bench as test; ${wrong}`],
    ['configures the crate away', `#![cfg(any())] ${wrong}`],
    ['ends in an attribute that would take the tests away', `${wrong} #[cfg(any())]`],
    ['ends inside a module that is configured away', `${wrong} #[cfg(any())] mod away {`],
    ['ends inside a comment', `${wrong} /*`],
    ['exits when it is called', 'fn add(_a: i32, _b: i32) -> i32 { std::process::exit(0) }'],
    [
      'prints what a pass looks like and exits',
      `fn add(_a: i32, _b: i32) -> i32 {
         use std::io::Write;
         let _ = std::io::stdout().write_all(b"test adds ... ok\\ntest result: ok. 3 passed; 0 failed\\n");
         std::process::exit(0)
       }`,
    ],
    [
      'exits before the tests begin',
      `extern "C" fn early() { std::process::exit(0) }
       #[used] #[cfg_attr(target_os = "linux", link_section = ".init_array")] static EARLY: extern "C" fn() = early; ${wrong}`,
    ],
    [
      'changes how panics are handled',
      `fn add(_a: i32, _b: i32) -> i32 { std::panic::set_hook(Box::new(|_| std::process::exit(0))); 0 }`,
    ],
  ];
  it.each(hostile)('does not pass a subject that %s', async (_title, content) => {
    expect((await runTests({ 'add.rs': content })).result).toBe('notMet');
  });

  it('is no pass without a test', async () => {
    expect((await runTests({ 'add.rs': wrong }, 'fn helper() {}')).result).toBe('notMet');
  });

  it('does not count the tests of the subject', async () => {
    const report = await runTests({ 'add.rs': '#[test] fn mine() {}' }, 'fn helper() {}');
    expect(report).toMatchObject({ result: 'notMet', summary: 'There was no test to run.' });
  });

  it('shows what the compiler said', async () => {
    const report = await runTests({ 'add.rs': 'fn add(a: i32) -> i32 { a }' });
    expect(report).toMatchObject({
      result: 'notMet',
      summary: "add.rs with the contract's tests does not compile.",
      evidence: expect.stringContaining('this function takes 1 argument'),
    });
  });

  it('leaves the question open when the compiler can compile nothing', async () => {
    const sandbox = createFailingSandbox('error: linker `cc` not found');
    await using workspace = await createCheckedWorkspace({ 'add.rs': wrong }, { sandbox });
    const report = await workspace.check({ kind: 'rustTest', files: ['add.rs'], testSource });
    expect(report).toMatchObject({ result: 'notEvaluated', evidence: expect.stringContaining('linker') });
  });
});
