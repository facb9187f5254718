import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assetName } from '../../src/core/assets/assetName';
import type { Recipe } from '../../src/core/assets/recipe';
import { recipeText } from '../../src/core/assets/recipeFile';

interface MadeFile {
  readonly kind: Recipe['kind'];
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly size: readonly [width: number, height: number];
  readonly request: Readonly<Record<string, unknown>> & { readonly model: string; readonly prompt: string };
  readonly seed: number;
  readonly createdAt: string;
}

/** Writes a file like a generated one, with its recipe next to it. Returns its name. */
export function writeMadeFile(folder: string, made: MadeFile): string {
  const { kind, bytes, contentType, size, request, seed, createdAt } = made;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = assetName(request.prompt, sha256, contentType.split('/')[1]!);
  const file = { name, sha256, bytes: bytes.length, contentType, width: size[0], height: size[1] };
  const common = {
    version: 1,
    createdAt,
    service: 'https://api.example.com/v1',
    inferenceSeconds: 1.2,
    traceId: 'ti_journey',
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), bytes);
  const recipe = { ...common, kind, request, seed, index: 0, file } as unknown as Recipe;
  writeFileSync(path.join(folder, `${name}.recipe.json`), recipeText(recipe));
  return name;
}
