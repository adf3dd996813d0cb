// The model port: one request, one reply. It does not retry and keeps no history: attempts are journaled by the loop, so
// that none is spent unseen. Failures are values, already classified.
import type { ProviderChoice, ProviderFailureClass } from '../../shared/event.ts';
import type { AssistantMessage, ContextMessage } from '../../shared/message.ts';
import type { Usage } from '../../shared/usage.ts';

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** Message objects are kept by the caller from step to step, so a provider may remember how it wrote each of them. */
  readonly messages: readonly ContextMessage[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens: number;
}

/** Progress of an open reply, for people who watch. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: number; readonly tool: string; readonly characters: number };

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly finish: 'stop' | 'calls' | 'length' | 'filter';
  /** Null when the provider reported none. */
  readonly usage: Usage | null;
  readonly firstEventMs: number;
  readonly durationMs: number;
}

export interface ProviderFailure {
  readonly class: ProviderFailureClass;
  readonly status?: number;
  /** For people: what happened and what to do. Holds no secret. */
  readonly message: string;
  readonly retryable: boolean;
  /** What the server asked for, in milliseconds from now. */
  readonly retryAfterMs?: number;
  /** Whether the provider may have billed the attempt. */
  readonly charge: 'none' | 'unknown';
}

export type ModelResult =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'failure'; readonly failure: ProviderFailure };

export interface ModelProvider {
  readonly choice: ProviderChoice;
  /** Size in bytes of the request on the wire, for the reservation's upper bound. */
  measure(request: ModelRequest): number;
  /** Never rejects for what a network or a server can do; an abort is the failure `aborted`. */
  complete(request: ModelRequest, onDelta: (delta: ModelDelta) => void, signal: AbortSignal): Promise<ModelResult>;
  close(): Promise<void>;
}
