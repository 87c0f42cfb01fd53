/** True for `localhost` and loopback addresses, IPv4-mapped ones included, with or without brackets. Pure. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace('::ffff:', '');
  return address === 'localhost' || address === '::1' || address.startsWith('127.');
}
