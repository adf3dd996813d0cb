// What a program wrote for a terminal, as plain text: without colours, moves of the cursor, titles and links, and without
// any other control character that could hide or rewrite what stands around it.

/** Takes time in proportion to the text, whatever it holds. Tabs and line ends stay; `\r\n` becomes `\n`. */
export function toPlainOutput(text: string): string {
  return text.replace(terminalSequence, '').replaceAll('\r\n', '\n').replace(otherControl, '');
}

const introducer = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
/** The end of what stands between the start of a sequence and its terminator. A line end is taken for a forgotten one. */
const untilEnd = `[^${bell}${introducer}\\n]*(?:${bell}|${introducer}\\\\)?`;

/** Every alternative takes what it can and needs nothing behind that, so none is ever tried a second time. */
const terminalSequence = new RegExp(`${introducer}(?:\\[[0-?]*[ -/]*[@-~]?|[\\]PX^_]${untilEnd}|[ -/]*[0-~]?)`, 'g');

const otherControl = /[^\P{Cc}\t\n]/gu;
