// The calls that concern other agents: what they amount to is settled by the engine alone.
import type { PreparedCall } from '../../tool/tool.ts';

export type AgentCall = Extract<PreparedCall, { kind: 'spawn' | 'hold' | 'mail' }>;
export type SpawnCall = Extract<AgentCall, { kind: 'spawn' }>;
export type HoldCall = Extract<AgentCall, { kind: 'hold' }>;
export type MailCall = Extract<AgentCall, { kind: 'mail' }>;

export const isAgentCall = (plan: { readonly kind: string }): plan is AgentCall =>
  plan.kind === 'spawn' || plan.kind === 'hold' || plan.kind === 'mail';
