import { until } from '../../support/until';
import { writeMadeFile } from '../../support/madeFiles';
import { drawPicture } from '../../../src/demo/drawing/picture';
import path from 'node:path';
import type { Scene } from '../scene';

const prompts = [
  'A lighthouse on basalt columns at dusk, gouache',
  'A quiet mountain lake at dawn',
  'Flowers by an open window, watercolour',
  'Dunes under the stars',
  'A forest path after the rain',
  'Waves below a harbour wall, ink',
  'Hills in autumn, woodcut',
  'A ship of paper on the river',
  'Northern lights over a village',
  'Roses at night, oil on wood',
  'A planet with two moons',
  'Morning fog in the valley',
];

function writePictures(folder: string): void {
  prompts.forEach((prompt, index) => {
    const [width, height] = index % 4 === 2 ? [768, 768] : [1024, 768];
    const seed = 4294 + index * 7;
    writeMadeFile(folder, {
      kind: 'image',
      bytes: drawPicture({ prompt, negativePrompt: '', seed, width, height, format: 'png' }),
      contentType: 'image/png',
      size: [width, height],
      request: {
        model: 'black-forest-labs/FLUX.2-pro',
        prompt,
        image_size: `${width}x${height}`,
        num_inference_steps: 20,
      },
      seed,
      createdAt: new Date(2026, 9, 21, 10, index).toISOString(),
    });
  });
}

export const gallery: Scene = async ({ desk, folder, hideSideBar }) => {
  writePictures(path.join(folder, 'made'));
  const { editorPage } = desk;
  await hideSideBar();
  await desk.command('Inference Desk: Open Gallery');
  const pictures = editorPage.getByRole('gridcell').locator('img');
  await pictures.nth(7).waitFor();
  await editorPage.locator('#tile-0').click();
  await editorPage.getByRole('complementary').getByText('Seed').first().waitFor();
  return async () => {
    await until(
      () =>
        pictures.evaluateAll((all) =>
          all.every((one) => (one as HTMLImageElement).naturalWidth > 0) ? true : undefined,
        ),
      'pictures that are drawn',
    );
  };
};
