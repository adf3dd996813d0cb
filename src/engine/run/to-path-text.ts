/** A path within a line of ours. One that could pass for more than a path, or break the line, is quoted. */
export function toPathText(path: string): string {
  return isPlain.test(path) ? path : JSON.stringify(path);
}

const isPlain = /^[\p{L}\p{N}_.@][\p{L}\p{N}_.@/+~-]*$/u;
