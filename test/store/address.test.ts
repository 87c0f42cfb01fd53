import { driverAddress } from '#src/store/address.ts';

const at = 'postgres://u:p%40ss@db.example:5432/luneta';

it.each(['prefer', 'require', 'verify-ca'])('says what the driver makes of %s, without its warning', (mode) => {
  const address = driverAddress(`${at}?sslmode=${mode}&sslrootcert=/etc/ca.pem`);
  expect(address).toBe(`${at}?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem`);
});

it.each(['', '?sslmode=disable', '?sslmode=no-verify', '?sslmode=require&uselibpqcompat=true', '?host=/run/pg'])(
  'leaves %p as it is',
  (query) => {
    expect(driverAddress(at + query)).toBe(at + query);
  },
);
