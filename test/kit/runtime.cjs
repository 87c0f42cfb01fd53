/**
 * How a test file gets its modules. Ours are its own, run anew for each file, but compiled once per process; packages are those of
 * the process, loaded by Node as in the program. A tenth of the work of Jest's own way, which loads everything for each file again:
 * what it lacks is jest.mock.
 */
const { statSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

const parameters = ['module', 'exports', 'require', '__dirname', '__filename', 'jest'];
/** By path: what it was compiled to, and when the file was written. */
const compiled = new Map();
const sourceMaps = new Map();
/** Of `#src/…`, by root. */
const aliases = new Map();
/** Entries of React that tests and packages use. */
const react = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/server', 'react-dom/client'];
let hasReact = false;

module.exports = class extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    this.modules = new Map();
    this.root = config.rootDir;
    this.native = createRequire(join(config.rootDir, 'package.json'));
    // Jest's own modules, of which each file has a fresh set as well.
    this.executor.compile = compileInternal;
  }

  requireModule(from, name, options, ...rest) {
    if (options?.isInternalModule) return super.requireModule(from, name, options, ...rest);
    return name === undefined ? this.ours(from) : this.requireModuleOrMock(from, name);
  }

  requireModuleOrMock(from, name) {
    if (name === '@jest/globals') return super.requireModuleOrMock(from, name);
    if (name.startsWith('.')) return this.ours(resolve(dirname(from), name));
    if (name.startsWith('#')) return this.ours(this.aliased(name));
    if (name.startsWith('/')) return this.ours(name);
    if (isBuiltin(name)) return require(name);
    if (!hasReact && name.includes('react')) this.loadReact();
    return this.native(name);
  }

  /** The one of the build, not of development: that notes a stack for each element, a third of what it takes to draw a page. */
  loadReact() {
    hasReact = true;
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    for (const name of react) this.native(name);
    process.env.NODE_ENV = before;
  }

  aliased(name) {
    const path = aliases.get(name) ?? this.native.resolve(name);
    aliases.set(name, path);
    return path;
  }

  ours(path) {
    const known = this.modules.get(path);
    if (known !== undefined) return known.exports;
    if (path.endsWith('.json')) return this.native(path);
    const module = { exports: {}, filename: path, id: path, loaded: false };
    this.modules.set(path, module);
    try {
      const require = (name) => this.requireModuleOrMock(path, name);
      const run = this.compiled(path);
      run.call(
        module.exports,
        module,
        module.exports,
        require,
        dirname(path),
        path,
        this.jestGlobals.jestObjectFor(path),
      );
    } catch (error) {
      this.modules.delete(path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  compiled(path) {
    const writtenAt = statSync(path).mtimeMs;
    const known = compiled.get(path);
    if (known?.writtenAt === writtenAt) return known.run;
    const code = this.transformCache.transform(path);
    for (const [file, map] of super.getSourceMaps()) sourceMaps.set(file, map);
    const run = compileFunction(code, parameters, { filename: path });
    compiled.set(path, { run, writtenAt });
    return run;
  }

  getSourceMaps() {
    return sourceMaps;
  }

  setMock() {
    throw new Error('jest.mock does nothing here (test/kit/runtime.cjs): give the room a stand-in instead.');
  }

  resetModules() {
    super.resetModules();
    this.modules?.clear();
  }
};

/** By path and text. */
const internals = new Map();

function compileInternal(source, filename) {
  const known = internals.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, this.injectedModuleParameters, { filename });
  internals.set(filename, { source, run });
  return run;
}
