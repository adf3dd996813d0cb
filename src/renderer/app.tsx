// What the window shows.

export function App() {
  return (
    <main>
      <h1>io-studio</h1>
      <p>Runs AI coding agents from a task contract to a checked outcome.</p>
      <p role="status">This window does not show the engine's state yet. Use the command line: io-studio run.</p>
    </main>
  );
}
