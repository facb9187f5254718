import { modelName } from '../modelNames';

/** What each model is called beside the others: its short name, or its whole id where two short names are the same. */
export function columnNames(models: readonly string[]): readonly string[] {
  const names = models.map(modelName);
  return models.map((model, index) => {
    const name = names[index] ?? model;
    return names.filter((other) => other === name).length > 1 ? model : name;
  });
}
