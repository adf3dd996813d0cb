import type { JudgedAct, Verdict } from '../../shared/act.ts';

/** Of what must be asked about; one would be enough for the effect, and some more tell what is at stake. */
const maxAsked = 20;

/** Gathers, of what belongs to an act, that which is asked about by another rule than the act itself. */
export function collectAsked({ layer, rule }: Pick<Verdict, 'layer' | 'rule'>): {
  readonly found: JudgedAct[];
  add(judged: JudgedAct): void;
} {
  const found: JudgedAct[] = [];
  const add = (judged: JudgedAct) => {
    const { verdict } = judged;
    const isNews = verdict.effect === 'ask' && (verdict.layer !== layer || verdict.rule !== rule);
    if (isNews && found.length < maxAsked) found.push(judged);
  };
  return { found, add };
}
