// What a model is sent and what it answers, in no vendor's words. Provider folders translate.
import { z } from 'zod';

/** One call inside a reply. `arguments` is the text as it arrived: parsed by the tool, never repaired. */
export const MessageCall = z.strictObject({ id: z.string(), tool: z.string(), arguments: z.string() });
export type MessageCall = z.infer<typeof MessageCall>;

/** The assistant's turn, as it is stored and as it goes back to the provider. */
export const AssistantMessage = z.strictObject({ text: z.string(), calls: z.array(MessageCall) });
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export type ContextMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | ({ readonly role: 'assistant' } & AssistantMessage)
  | { readonly role: 'result'; readonly callId: string; readonly text: string };
