// What became of the effects of a run, one for each step.

export interface Effects {
  /** Steps whose effect is there more than once. */
  readonly twice: readonly number[];
  readonly missing: readonly number[];
  /** Of the missing ones those of which the model was told something else than a result. */
  readonly missingShown: readonly number[];
  /** Stand-ins for calls whose effect is there: it was done, and the result lost. */
  readonly doneShown: readonly number[];
}

/** `passed`: of so many steps the model was given a result or a stand-in; a step that was not reached is not missing. */
export function countEffects(effects: readonly number[], standIns: readonly number[], passed: number): Effects {
  const all = Array.from({ length: passed }, (_, step) => step);
  const timesOf = (step: number): number => effects.filter((effect) => effect === step).length;
  const missing = all.filter((step) => timesOf(step) === 0);
  return {
    twice: [...new Set(effects)].filter((step) => timesOf(step) > 1),
    missing,
    missingShown: missing.filter((step) => standIns.includes(step)),
    doneShown: standIns.filter((step) => timesOf(step) > 0),
  };
}
