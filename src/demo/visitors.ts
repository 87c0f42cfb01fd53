/** The people of the sample shop: new ones, ones who come back, customers on another device, and programs. Pure. */

import { type Customer, customerAt, type Device, devices, type Place, places } from './audience.ts';
import type { Random } from './random.ts';

export interface Visitor {
  anonymousId: string;
  device: Device;
  place: Place;
  /** The identified customer; null when anonymous on this device. */
  customer: Customer | null;
  /** The customer who has not yet signed in on this device. */
  owner: Customer | null;
}

export interface Visitors {
  /** Picks the visitor of a visit at this time, ms. */
  arrive(at: number): Visitor;
  /** Identifies the visitor, and returns the customer. */
  register(visitor: Visitor): Customer;
}

/** Share of visits by returning visitors, and by customers. */
const returningShare = 0.37;
const customerShare = 0.09;
const otherDeviceShare = 0.12;
/** The last so many people are the ones who come back. */
const remembered = 2_500;

export function createVisitors(random: Random): Visitors {
  const known: Visitor[] = [];
  const customers: Visitor[] = [];
  let registered = 0;

  function meet(at: number, place: Place): Visitor {
    const visitor = {
      anonymousId: random.uuid(at),
      device: random.weighted(devices),
      place,
      customer: null,
      owner: null,
    };
    known.push(visitor);
    return visitor;
  }

  return {
    arrive(at) {
      if (customers.length > 20 && random.chance(customerShare)) {
        const customer = random.pick(customers);
        if (!random.chance(otherDeviceShare)) return customer;
        return Object.assign(meet(at, customer.place), { owner: customer.customer });
      }
      if (known.length > 50 && random.chance(returningShare)) {
        const back = Math.floor(random.next() ** 2 * Math.min(known.length, remembered));
        return known[known.length - 1 - back] as Visitor;
      }
      return meet(at, random.weighted(places));
    },
    register(visitor) {
      if (visitor.customer !== null) return visitor.customer;
      visitor.customer = visitor.owner ?? customerAt(registered++);
      if (visitor.owner === null) customers.push(visitor);
      return visitor.customer;
    },
  };
}
