/** Reading a cookie. There are few, none of them secret yet, and nothing is ever set from here. */
import type { Request } from 'express';

/** The value of a cookie, or undefined. Values that cannot be decoded count as absent. */
export function cookieOf(req: Request, name: string): string | undefined {
  for (const pair of (req.get('cookie') ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=');
    if (key.trim() !== name) continue;
    try {
      return decodeURIComponent(value.join('=').trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}
