// The name of a branch as an argument of the git tools: a name, never an option or a way of finding a commit. Whether git
// takes it for a branch is for git to say.
import { z } from 'zod';

export const BranchName = z
  .string()
  .max(200)
  .regex(
    /^[^-\s\p{Cc}~^:?*[\\@{}][^\s\p{Cc}~^:?*[\\{}]*$/u,
    'a branch has a name like fix/login, without spaces and not beginning with -',
  );
