/** The methods of `T` that return promises. */
export type PromiseMethods<T> = {
  readonly [Name in keyof T as T[Name] extends (...args: never) => Promise<unknown> ? Name : never]: T[Name];
};

/** Names by which the language asks of any object whether it is a promise, or has a form of its own in JSON. */
const askedOfAnyObject: ReadonlySet<string | symbol> = new Set(['then', 'toJSON']);

/**
 * Returns an object with the members of `own` and, by any other name, the methods of what `load` resolves with: a call loads it first. So
 * what is known at once and what is loaded on first use are one object. `load` is called each time, and must load once.
 */
export function withLazyMethods<Own extends object, T extends object>(
  own: Own,
  load: () => Promise<T>,
): Own & PromiseMethods<T> {
  return new Proxy(own, {
    get(target, name) {
      // Symbols are asked for by the language too, and no method that is loaded has one for its name.
      if (name in target || typeof name === 'symbol' || askedOfAnyObject.has(name))
        return Reflect.get(target, name, target);
      return async (...args: unknown[]) => {
        const loaded = await load();
        const method: unknown = Reflect.get(loaded, name, loaded);
        if (typeof method !== 'function') throw new TypeError(`There is no method ${name}.`);
        return Reflect.apply(method, loaded, args);
      };
    },
  }) as Own & PromiseMethods<T>;
}
