/** Whether a host is this machine alone: `localhost`, or an address of its loopback, also as IPv6 writes IPv4, with or without brackets. Pure. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace('::ffff:', '');
  return address === 'localhost' || address === '::1' || address.startsWith('127.');
}
