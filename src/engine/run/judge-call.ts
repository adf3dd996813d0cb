import type { EventPlace } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { DriverPorts } from './driver-ports.ts';
import { readCall } from './proposed-call.ts';

/** Has the guard judge every act of a call, and journals the verdicts. */
export async function judgeCall(
  ports: DriverPorts,
  { agentId, call }: Pick<EventPlace, 'agentId'> & { readonly call: number },
): Promise<void> {
  const { recorder, guard, redactor } = ports;
  const { tool, arguments: parsed } = readCall(ports, { agentId }, call);
  const { step } = agentOf(recorder.state, { agentId });
  for (const declared of tool.acts(parsed)) {
    const { act, verdict } = await guard.judge(declared);
    const { effect, rule, layer } = verdict;
    recorder.emit(
      { agentId, step },
      {
        type: 'act-judged',
        call,
        act: act.kind,
        target: redactor.redact(act.target).text,
        ...(act.real === null || act.real === act.target ? {} : { real: redactor.redact(act.real).text }),
        effect,
        rule,
        layer,
        ...(effect === 'allow' ? {} : { because: redactor.redact(verdict.because).text }),
      },
    );
  }
}
