/** Where processes of the built program keep what V8 made of its files: compiled once for all tests. */
import { join } from 'node:path';

export const compileCache = { NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules/.cache/node') };
