import { isVendor } from './knownServices';

/** What is true of a service beyond the shapes of its requests: of the public service by its own reference, of others as far as known. */
export interface ServiceRules {
  /** Whether GET /models has the filters `type` and `sub_type`. Elsewhere they are ignored. */
  readonly hasModelFilters: boolean;
}

const vendorRules: ServiceRules = { hasModelFilters: true };

const otherRules: ServiceRules = { hasModelFilters: false };

/** Returns the rules of the service at an address; those of the public service while nobody is signed in. */
export function rulesOf(baseUrl: string | undefined): ServiceRules {
  return baseUrl === undefined || isVendor(baseUrl) ? vendorRules : otherRules;
}
