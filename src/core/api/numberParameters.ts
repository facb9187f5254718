import * as z from 'zod/mini';
import { numbersAt } from '../parameters/parameterTable';
import type { Endpoint, NumberAt } from '../parameters/parameterTable';

const number = z.nullish(z.number());

/** Returns the schemas of an endpoint's parameters that are numbers. Their bounds are checked separately. */
export function numberParameters<Where extends Endpoint>(
  where: Where,
): { readonly [Name in NumberAt<Where>]: typeof number } {
  return Object.fromEntries(numbersAt(where).map((name) => [name, number])) as {
    [Name in NumberAt<Where>]: typeof number;
  };
}
