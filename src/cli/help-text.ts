export const helpText = `io-studio runs AI coding agents from a task contract to a checked outcome.

  io-studio run --goal TEXT [--verify COMMAND]   work in this directory until COMMAND succeeds
  io-studio run --contract FILE                  the same from a contract (JSON; - reads standard input)
  io-studio resume RUN                           go on with a run that was interrupted or waits
  io-studio rewind RUN [--to STEP] [--dry-run]   take a run and its files back to the end of a step; --undo takes that back
  io-studio fork RUN [--at STEP] --into DIR      begin a new run where this one stood when the step was over
  io-studio replay RUN [--execute]               whether a run still follows from its journal; runs nothing, or all in a copy
  io-studio runs                                 list the runs of this home
  io-studio trace RUN [--follow]                 explain a run, event by event; go on with what comes until it ends
  io-studio tree RUN [--watch]                   the agents of a run: what each is doing, has spent and has left
  io-studio steer RUN [--agent A] TEXT           tell an agent something before its next request
  io-studio pause RUN [--agent A]                begin nothing any more for now; unpause RUN --agent A takes that back
  io-studio cancel RUN [--agent A]               end a run, or an agent with all that work for it, for good
  io-studio raise RUN [--agent A] --tokens N     set another limit; also --cost, --wall, --steps, --risky-acts
  io-studio takeover RUN                         take a run from a driver elsewhere that is known to be gone
  io-studio approvals [REQUEST]                  list what waits for a yes or no, or show all of one request
  io-studio decide REQUEST approve|deny|defer    answer it; an end of its id will do that no other has
  io-studio recoveries                           list interrupted calls of which nobody can know what became
  io-studio recover CALL retry|completed|abort   decide about one: start it once more, give its result, or leave it
  io-studio explain read|write|exec|net TARGET   what would be decided about an act, and what would change that
  io-studio simulate RUN --policy FILE           what another policy would have decided in a run
  io-studio policy check|import FILE             look over a policy, or make one of another tool's settings
  io-studio store stats|prune|verify|backup FILE look after the store: sizes, room, damage, a copy of it
  io-studio store export|archive RUN FILE        one run as a file; archive takes it out of the store then
  io-studio store import FILE, adopt RUN         read a run from a file, and take it as yours to go on with it
  io-studio store adopt-here                     drive the runs of a copied or restored home here, and no more where it was
  io-studio doctor                               what this machine can enclose commands by, and what would improve it

Options of run and resume
  --workspace DIR         where to work; this directory by default (run only)
  --steps N               at most N model replies (run only)
  --policy FILE           rules over those of the home; the built-in ones and those of the workspace still hold
  --approve WHO           who answers questions: ask (whoever does, while the run waits), defer (the run ends, to be
                          resumed), all or deny (yes or no to everything), model; ask at a terminal, else defer
  --reviewer MODEL        with --approve model: the model that answers, another than the run's
  --recovery WHO          who settles a call that a crash interrupted, where nobody can know: ask (a person, with recover)
                          or tell-model; ask where questions wait for people, else tell-model
  --minimum-isolation M   isolated: run no command where nothing encloses it (usual); caps-only: run it all the same
  --model M, --provider P instead of those of contract and environment; P is openrouter or openai
  --context-tokens N      size of the model's context window; 128000 by default
  --shared-home           drive it although other machines can reach --home, which only this one ever uses
  --deltas                with --json: also what is being said while it is said
Options of rewind
  --to STEP               the step at whose end the run goes on; its beginning by default
  --file PATH             put back only this file, or what lies in this directory; the run stays where it is
  --undo                  take the last rewind back, as long as the run has not gone on
  --dry-run               only show what would become of each file
  --force                 put back also what somebody else has changed since; a copy is kept in the home, under kept/
  --shared-home           as for run and resume
Options of fork, beside those of run and resume
  --at STEP               the step after which it goes on; the last that is over by default, 0 for the beginning
  --into DIR              where it works: a copy of the workspace, put back to what it was then
  --worktree BRANCH       the same as a git worktree on a new branch, beside the workspace or at --into DIR
  --here                  in the workspace as it is now
  --goal TEXT, --contract FILE  another task from there on
  --run                   drive it at once
Options of replay
  --execute               run tools and checks again as well, in a copy of the workspace as it was at the beginning; there
                          is no network, nobody is asked, and the copy is gone afterwards
Options of tree
  --watch                 go on with what changes, from whichever process, until the run ends or Ctrl-C
Options of steer, pause, unpause, cancel and raise
  --agent A               that agent with all that work for it, as tree names it; without it the whole run
Options of raise, one at a time; N is what may be used in all, none for no limit
  --tokens N, --steps N, --risky-acts N, --cost USD, --wall MS (milliseconds of active time)
Options of approvals
  --run RUN, --watch      those of one run; go on with new ones and their answers until Ctrl-C
Options of decide
  --rewrite FILE          approve with these arguments instead (JSON; - reads standard input)
  --remember SCOPE[:RULE] and from now on; SCOPE is run, project or user
  --reason TEXT           why not, for the model
  --digest HEX            what approvals REQUEST shows at its end; needed to approve long content
Options of recoveries
  --run RUN               those of one run
Options of recover
  --result TEXT, --result-file FILE  what the call came to, for the model; needed with completed
  --reason TEXT           for the trace, and with completed or abort for the model
Options of explain
  --policy FILE, --workspace DIR
Options of store
  --older-than DAYS       prune: only runs that ended longer ago; runs that can still be resumed always stay
  --to-size SIZE          prune: the oldest runs until the store is no larger (bytes, or 500MB, 20GiB)
  --dry-run               prune: only say what would go
  --rebuild               verify [RUN]: make lists and traces again that are not what the events say
  --with-key              backup: also the key of masked secrets, in a file beside it
  --sealed KEYFILE        export, archive: also the originals of masked contents, with their key in KEYFILE
  --key KEYFILE           import: the key of such originals
  --unfinished            archive: also a run that can still be resumed
  --workspace DIR         adopt: where the run goes on
  --shared-home           adopt: as for run and resume
Options of every command
  --home DIR              where the engine keeps its state; IO_STUDIO_HOME or the platform's place by default
  --json                  for scripts: one JSON value per line; of run and resume each event and a result at the end

Providers are set in the environment: OPENROUTER_API_KEY and OPENROUTER_MODEL, or OPENAI_API_KEY and OPENAI_MODEL.
For a server on this machine: OPENAI_BASE_URL=http://127.0.0.1:PORT/v1 and OPENAI_MODEL.

Exit codes of run and resume: 0 met or finished, 1 not met or not evaluated, 2 bad arguments, contract or policy, 3 waits
for a person, 4 refused, 5 budget spent, 6 provider failed, 7 no sandbox, 8 store failed, 9 cancelled, 130/143 interrupted.
Of the others: 0 done, whatever was found or decided; 2 bad arguments, or an answer or file that is refused; 8 store failed;
7 of doctor and replay --execute: nothing here encloses commands; of replay also 1: it diverges, 130/143: interrupted.`;
