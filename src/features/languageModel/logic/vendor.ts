/** The vendor name of our models, also in package.json. Unique in an editor: the first extension to register a name owns it. */
export const vendor = 'inference-desk';
