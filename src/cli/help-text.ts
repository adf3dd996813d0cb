export const helpText = `io-studio runs AI coding agents from a task contract to a checked outcome.

  io-studio run --goal TEXT [--verify COMMAND]   work in this directory until COMMAND succeeds
  io-studio run --contract FILE                  the same from a contract (JSON; - reads standard input)
  io-studio resume RUN                           go on with a run that was interrupted or waits
  io-studio runs                                 list the runs of this home
  io-studio trace RUN                            explain a run, event by event

Options of run and resume
  --workspace DIR         where to work; this directory by default (run only)
  --steps N               at most N model replies (run only)
  --approve all|deny      answer every question with yes or no; without it a question ends the run, to be resumed
  --model M, --provider P instead of those of contract and environment; P is openrouter or openai
  --context-tokens N      size of the model's context window; 128000 by default
  --json                  one journal event per line, and a result line at the end
  --deltas                with --json: also what is being said while it is said
Options of every command
  --home DIR              where the engine keeps its state; IO_STUDIO_HOME or the platform's place by default

Providers are set in the environment: OPENROUTER_API_KEY and OPENROUTER_MODEL, or OPENAI_API_KEY and OPENAI_MODEL.
For a server on this machine: OPENAI_BASE_URL=http://127.0.0.1:PORT/v1 and OPENAI_MODEL.

Exit codes: 0 met or finished, 1 not met or not evaluated, 2 bad arguments or contract, 3 waits for a person,
4 refused, 5 budget spent, 6 provider failed, 7 no sandbox, 8 store failed, 9 cancelled, 130/143 interrupted.`;
