/** The common success envelope. */
export const envelope = (data: unknown) => ({ code: 20000, message: 'Ok', status: true, data });
