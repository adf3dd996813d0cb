import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toIncludable } from './compose-rust-test.ts';

describe('making a crate includable', () => {
  it.each([
    ['//! doc\n/*! more */ fn a() {}', '//  doc\n/*  more */ fn a() {}'],
    ['#![allow(dead_code, clippy::all)]\nfn a() {}', `${' '.repeat(33)}\nfn a() {}`],
    ['// #![cfg(any())]\n/* /* */ //! */ //! x\nfn a() {}', '// #![cfg(any())]\n/* /* */ //! */ //  x\nfn a() {}'],
    ['#![cfg(any())]\nfn a() {}', '#![cfg(any())]\nfn a() {}'],
    ['#![cfg_attr(all(), cfg(any()))]', '#![cfg_attr(all(), cfg(any()))]'],
    ['fn a() { //! inside\n}', 'fn a() { //! inside\n}'],
    ['/* never ends //! x', '/* never ends //! x'],
    ['', ''],
  ])('turns %j into %j', (source, result) => {
    expect(toIncludable(source)).toBe(result);
  });

  it('never moves anything', () => {
    const pieces = fc.constantFrom(
      '//!',
      '/*',
      '*/',
      '/*!',
      '\n',
      ' ',
      '#![allow(x)]',
      '#![cfg(any())]',
      'fn a(){}',
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const source = parts.join('');
        const result = toIncludable(source);
        expect(result.length).toBe(source.length);
        expect(result.split('\n').length).toBe(source.split('\n').length);
      }),
    );
  });
});
