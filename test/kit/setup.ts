/**
 * Before each test file. Jest runs tests in a realm of their own, where an error of Node's own modules (a refused connection, a
 * missing file) is no `Error`; in the program it is. Here it is one again.
 */
import { types } from 'node:util';

const ordinary = Function.prototype[Symbol.hasInstance];

Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return (this === Error && types.isNativeError(value)) || ordinary.call(this as never, value);
  },
});
