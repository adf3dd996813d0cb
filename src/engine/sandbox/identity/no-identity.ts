import type { StartFailure } from '../launch.ts';

/** Said where a root engine has no user to give a command. It is never given root instead. */
export const noIdentity: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'no command may run as the superuser, and no user number from 61184 to 65519 is free for it',
  advice: 'Run the engine as an ordinary user, or wait until other sandboxes have ended.',
};
