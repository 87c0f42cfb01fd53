/** The address of a database, as it is handed to the driver. */

/** Today the driver takes them all for `verify-full`, and warns at each start that it will not for ever. */
const TAKEN_FOR_FULL: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

/** Makes the driver's meaning explicit as `verify-full`: it verifies the certificate. With `uselibpqcompat` the modes are libpq's. */
export function driverAddress(address: string): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const query = new URLSearchParams(address.slice(start + 1));
  if (query.get('uselibpqcompat') === 'true' || !TAKEN_FOR_FULL.has(query.get('sslmode') ?? '')) return address;
  query.set('sslmode', 'verify-full');
  return `${address.slice(0, start)}?${query}`;
}
