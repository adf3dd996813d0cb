// The few instructions of classic BPF that a system call filter needs, and their encoding. A filter is a list that is read
// downwards: jumps go forward only, by a number of instructions to leave out.

export interface BpfInstruction {
  readonly code: number;
  /** Instructions left out when a comparison holds, and when it does not. */
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly operand: number;
}

export const bpfCodes = { loadWord: 0x20, and: 0x54, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, answer: 0x06 };

/** Takes the 32-bit word at this place of the call's description (`struct seccomp_data`) for the comparisons that follow. */
export const loadWord = (offset: number): BpfInstruction => instruction(bpfCodes.loadWord, offset);

/** Keeps only these bits of the word that was loaded. */
export const keepBits = (mask: number): BpfInstruction => instruction(bpfCodes.and, mask);

/** Ends the filter with this answer. */
export const answer = (value: number): BpfInstruction => instruction(bpfCodes.answer, value);

export const ifEqual = (value: number, ifTrue: number, ifFalse: number): BpfInstruction =>
  instruction(bpfCodes.ifEqual, value, ifTrue, ifFalse);

export const ifAtLeast = (value: number, ifTrue: number, ifFalse: number): BpfInstruction =>
  instruction(bpfCodes.ifAtLeast, value, ifTrue, ifFalse);

export const ifAnyBit = (mask: number, ifTrue: number, ifFalse: number): BpfInstruction =>
  instruction(bpfCodes.ifAnyBit, mask, ifTrue, ifFalse);

/** As the kernel reads it (`struct sock_filter[]`), in the byte order of x64 and arm64. */
export function encodeBpf(instructions: readonly BpfInstruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, ifTrue, ifFalse, operand }] of instructions.entries()) {
    // A longer jump would silently become a shorter one.
    if (ifTrue > 255 || ifFalse > 255) throw new RangeError('A jump in a filter is too long');
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, operand, true);
  }
  return bytes;
}

function instruction(code: number, operand: number, ifTrue = 0, ifFalse = 0): BpfInstruction {
  return { code, operand: operand >>> 0, ifTrue, ifFalse };
}
