import tseslint from 'typescript-eslint'

const engineBans = [
  { object: 'Date', property: 'now', message: 'The engine gets its clock passed in.' },
  { object: 'Math', property: 'random', message: 'The engine is deterministic.' },
  { object: 'performance', property: 'now', message: 'The engine gets its clock passed in.' },
  { object: 'process', property: 'env', message: 'Options are passed in.' },
]

export default tseslint.config(
  { ignores: ['generated/', 'test/fixtures/', 'dist/', 'sdk/', 'node_modules/', 'data/'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/engine/**/*.ts'],
    ignores: ['src/engine/clock.ts', 'src/engine/crypto/thread_wait.ts'],
    rules: { 'no-restricted-properties': ['error', ...engineBans] },
  },
  {
    // chai's assertions are expressions.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
)
