export const helpText = `io-studio runs AI coding agents from a task contract to a checked outcome.

  io-studio run --goal TEXT [--verify COMMAND]   work in this directory until COMMAND succeeds
  io-studio run --contract FILE                  the same from a contract (JSON; - reads standard input)
  io-studio resume RUN                           go on with a run that was interrupted or waits
  io-studio runs                                 list the runs of this home
  io-studio trace RUN                            explain a run, event by event
  io-studio approvals [REQUEST]                  list what waits for a yes or no, or show all of one request
  io-studio decide REQUEST approve|deny|defer    answer it; an end of its id will do that no other has
  io-studio explain read|write|exec|net TARGET   what would be decided about an act, and what would change that
  io-studio simulate RUN --policy FILE           what another policy would have decided in a run
  io-studio policy check|import FILE             look over a policy, or make one of another tool's settings
  io-studio doctor                               what this machine can enclose commands by, and what would improve it

Options of run and resume
  --workspace DIR         where to work; this directory by default (run only)
  --steps N               at most N model replies (run only)
  --policy FILE           rules over those of the home; the built-in ones and those of the workspace still hold
  --approve WHO           who answers questions: ask (whoever does, while the run waits), defer (the run ends, to be
                          resumed), all or deny (yes or no to everything), model; ask at a terminal, else defer
  --reviewer MODEL        with --approve model: the model that answers, another than the run's
  --minimum-isolation M   isolated: run no command where nothing encloses it (usual); caps-only: run it all the same
  --model M, --provider P instead of those of contract and environment; P is openrouter or openai
  --context-tokens N      size of the model's context window; 128000 by default
  --deltas                with --json: also what is being said while it is said
Options of approvals
  --run RUN, --watch      those of one run; go on with new ones and their answers until Ctrl-C
Options of decide
  --rewrite FILE          approve with these arguments instead (JSON; - reads standard input)
  --remember SCOPE[:RULE] and from now on; SCOPE is run, project or user
  --reason TEXT           why not, for the model
  --digest HEX            what approvals REQUEST shows at its end; needed to approve long content
Options of explain
  --policy FILE, --workspace DIR
Options of every command
  --home DIR              where the engine keeps its state; IO_STUDIO_HOME or the platform's place by default
  --json                  for scripts: one JSON value per line; of run and resume each event and a result at the end

Providers are set in the environment: OPENROUTER_API_KEY and OPENROUTER_MODEL, or OPENAI_API_KEY and OPENAI_MODEL.
For a server on this machine: OPENAI_BASE_URL=http://127.0.0.1:PORT/v1 and OPENAI_MODEL.

Exit codes of run and resume: 0 met or finished, 1 not met or not evaluated, 2 bad arguments, contract or policy, 3 waits
for a person, 4 refused, 5 budget spent, 6 provider failed, 7 no sandbox, 8 store failed, 9 cancelled, 130/143 interrupted.
Of the others: 0 done, whatever was found or decided; 2 bad arguments, or an answer or file that is refused; 8 store failed;
7 of doctor: nothing here encloses commands.`;
