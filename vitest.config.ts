import { defineConfig } from 'vitest/config';

const shared = { environment: 'node', pool: 'forks', setupFiles: ['test/support/seed-properties.ts'] };

export default defineConfig({
  test: {
    // Much of a scenario is waiting for other processes; left to itself, half of two processors would be used.
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'unit', include: ['src/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'scenario',
          include: ['test/**/*.test.ts'],
          exclude: ['test/fixtures/**', 'test/torture/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
