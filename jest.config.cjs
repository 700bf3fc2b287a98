// Nest 12 is pure ESM and jest 30 cannot require ESM on Node 20, so sources and node_modules alike are compiled to CommonJS here.
// The built ESM output is what test/ starts as a child process, so both forms are tested.
const swc = (jsc) => ['@swc/jest', { jsc: { target: 'es2022', ...jsc }, module: { type: 'commonjs' }, sourceMaps: 'inline' }];

module.exports = {
  rootDir: '.',
  testEnvironment: 'node',
  testRegex: '.*\\.spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: {
    '^.+\\.ts$': swc({
      parser: { syntax: 'typescript', decorators: true },
      keepClassNames: true,
      transform: { legacyDecorator: true, decoratorMetadata: true },
    }),
    'node_modules/.+\\.m?js$': swc({ parser: { syntax: 'ecmascript' } }),
  },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    // Exported to `import` only, which is what the build uses and what CommonJS cannot ask for.
    '^canonicalize$': '<rootDir>/node_modules/canonicalize/lib/canonicalize.js',
    '^@a2a/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  maxWorkers: 2,
  // For tests that hang, on however slow a machine: nothing here is meant to be measured by it.
  testTimeout: 300_000,
};
