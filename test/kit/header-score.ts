/** Our own scorer of an answer's headers, by the points of the HTTP Observatory: 100 and more is A+. */

export const directivesOf = (policy = ''): Record<string, string[] | undefined> =>
  Object.fromEntries(policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]));

/** 100 is the top of what can be lost; what is better than asked adds from there, as long as nothing was lost. */
export function scoreHeaders(headers: Record<string, string>, https: boolean): { points: number; lost: string[] } {
  const csp = directivesOf(headers['content-security-policy']);
  const lost: string[] = [];
  const ask = (holds: boolean, what: string) => holds || lost.push(what);
  const sources = Object.values(csp).flat();
  ask(csp['default-src']?.join() === "'none'", 'default-src');
  ask(!sources.some((source) => source?.includes('unsafe')), 'unsafe sources');
  ask(!sources.some((source) => source === '*' || source === 'http:' || source === 'https:'), 'wildcards');
  ask(csp['object-src']?.join() === "'none'", 'object-src');
  ask(csp['base-uri']?.join() === "'none'", 'base-uri');
  ask(csp['form-action']?.join() === "'self'", 'form-action');
  ask(csp['frame-ancestors']?.join() === "'none'", 'frame-ancestors');
  ask(headers['x-frame-options'] === 'DENY', 'X-Frame-Options');
  ask(headers['x-content-type-options'] === 'nosniff', 'nosniff');
  // Pages whose address lets somebody in tell it to nobody.
  ask(/^(strict-origin-when-cross-origin|no-referrer)$/.test(headers['referrer-policy'] ?? ''), 'Referrer-Policy');
  ask(headers['cross-origin-opener-policy'] === 'same-origin', 'COOP');
  ask(headers['cross-origin-resource-policy'] === 'same-origin', 'CORP');
  ask(headers['permissions-policy']?.includes('camera=()') === true, 'Permissions-Policy');
  ask(headers['access-control-allow-origin'] === undefined, 'CORS');
  ask(headers['x-powered-by'] === undefined, 'X-Powered-By');
  ask(headers['x-robots-tag'] === 'noindex, nofollow', 'X-Robots-Tag');
  const hsts = headers['strict-transport-security'];
  ask(https ? hsts === 'max-age=63072000; includeSubDomains' : hsts === undefined, 'HSTS');
  const cookies = ([] as string[]).concat(headers['set-cookie'] ?? []);
  ask(
    cookies.every((cookie) => /; SameSite=(Lax|Strict)/i.test(cookie)),
    'SameSite',
  );
  ask(!https || cookies.every((cookie) => /; Secure/i.test(cookie)), 'Secure cookies');
  return { points: 100 - 10 * lost.length + (lost.length === 0 ? 20 : 0), lost };
}
