/** The version of the engine, as in package.json; runs remember which one began them. */
export const engineVersion = '0.1.0';
