import { modelName } from '../modelNames';

/** Returns a name for each model: its short name, or its full id if two short names are equal. */
export function columnNames(models: readonly string[]): readonly string[] {
  const names = models.map(modelName);
  return models.map((model, index) => {
    const name = names[index] ?? model;
    return names.filter((other) => other === name).length > 1 ? model : name;
  });
}
