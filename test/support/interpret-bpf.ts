// Runs a classic BPF program the way the kernel runs a system call filter. What the kernel would refuse to load is an error.
import { bpfCodes } from '../../src/engine/sandbox/linux/bpf.ts';

export interface SystemCall {
  readonly architecture: number;
  readonly number: number;
  /** Up to six operands. */
  readonly operands: readonly bigint[];
}

/** What the filter answers to `call`. */
export function interpretBpf(program: Uint8Array, call: SystemCall): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const description = describe(call);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const operand = code.getUint32(at + 4, true);
    const jump = (holds: boolean): void => {
      at += 8 * code.getUint8(at + (holds ? 2 : 3));
    };
    switch (code.getUint16(at, true)) {
      case bpfCodes.loadWord:
        if (operand % 4 !== 0 || operand > 60) throw new RangeError(`loads at ${operand}`);
        accumulator = description.getUint32(operand, true);
        break;
      case bpfCodes.and:
        accumulator = (accumulator & operand) >>> 0;
        break;
      case bpfCodes.ifEqual:
        jump(accumulator === operand);
        break;
      case bpfCodes.ifAtLeast:
        jump(accumulator >= operand);
        break;
      case bpfCodes.ifAnyBit:
        jump((accumulator & operand) !== 0);
        break;
      case bpfCodes.answer:
        return operand;
      default:
        throw new TypeError(`no such instruction at ${at}`);
    }
  }
  throw new RangeError('ends without an answer');
}

/** `struct seccomp_data`: number, architecture, instruction pointer, operands. */
function describe(call: SystemCall): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, call.number, true);
  view.setUint32(4, call.architecture, true);
  for (const [index, operand] of call.operands.entries()) view.setBigUint64(16 + 8 * index, operand, true);
  return view;
}
