/**
 * Jest's transform: esbuild, the compiler of the build. TypeScript and JSX become CommonJS, import() too; CSS modules become an
 * object that answers every class name with itself.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transformSync, version } = require('esbuild');

const classNames = 'module.exports = new Proxy({}, { get: (_, name) => (name === "__esModule" ? false : name) });';
const self = readFileSync(__filename);

module.exports = {
  getCacheKey(source, path) {
    return createHash('sha1').update(version).update(self).update(path).update(source).digest('hex');
  },
  process(source, path) {
    if (path.endsWith('.css')) return { code: classNames };
    return transformSync(source, {
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      format: 'cjs',
      target: 'node24',
      jsx: 'automatic',
      sourcefile: path,
      sourcemap: 'inline',
      supported: { 'dynamic-import': false },
      banner: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
      define: {
        'import.meta.url': '__importMetaUrl',
        'import.meta.dirname': '__dirname',
        'import.meta.filename': '__filename',
      },
    });
  },
};
