/** Under which the editor knows our models; the same stands in package.json. Vendors are unique in an editor, whoever comes first. */
export const vendor = 'inference-desk';
