import type { Colour } from './canvas';

export interface Palette {
  readonly name: string;
  readonly asked: RegExp;
  /** From the zenith to the horizon. */
  readonly sky: readonly [Colour, Colour, Colour];
  readonly light: Colour;
  readonly haze: Colour;
  readonly near: Colour;
  readonly accent: Colour;
  readonly stars: boolean;
}

export const palettes: readonly [Palette, ...Palette[]] = [
  {
    name: 'sunset',
    asked: /sunset|dusk|evening|orange|autumn|fall|fire|日落|黄昏|晚霞|秋/i,
    sky: [
      [38, 30, 84],
      [196, 76, 104],
      [255, 178, 96],
    ],
    light: [255, 226, 160],
    haze: [236, 130, 104],
    near: [34, 20, 48],
    accent: [255, 196, 84],
    stars: false,
  },
  {
    name: 'dawn',
    asked: /dawn|sunrise|morning|pink|spring|cherry|清晨|日出|春|粉/i,
    sky: [
      [92, 132, 196],
      [232, 178, 190],
      [255, 226, 190],
    ],
    light: [255, 244, 214],
    haze: [214, 178, 196],
    near: [62, 58, 96],
    accent: [250, 138, 160],
    stars: false,
  },
  {
    name: 'night',
    asked: /night|moon|star|dark|midnight|winter night|夜|月|星空/i,
    sky: [
      [6, 10, 30],
      [18, 32, 76],
      [52, 78, 128],
    ],
    light: [236, 240, 255],
    haze: [44, 62, 108],
    near: [5, 8, 20],
    accent: [255, 214, 130],
    stars: true,
  },
  {
    name: 'noon',
    asked: /day|noon|summer|blue|sky|beach|bright|白天|夏|蓝天|海滩/i,
    sky: [
      [36, 104, 190],
      [104, 174, 226],
      [214, 236, 244],
    ],
    light: [255, 252, 232],
    haze: [158, 196, 214],
    near: [28, 74, 62],
    accent: [250, 210, 90],
    stars: false,
  },
  {
    name: 'forest',
    asked: /forest|jungle|green|tree|wood|garden|park|森林|树|绿|花园/i,
    sky: [
      [98, 148, 150],
      [176, 204, 182],
      [238, 240, 208],
    ],
    light: [255, 250, 214],
    haze: [150, 184, 160],
    near: [14, 42, 34],
    accent: [236, 190, 92],
    stars: false,
  },
  {
    name: 'desert',
    asked: /desert|dune|sand|mars|canyon|savanna|camel|沙漠|沙丘|戈壁|火星/i,
    sky: [
      [70, 126, 168],
      [216, 190, 158],
      [250, 220, 168],
    ],
    light: [255, 244, 206],
    haze: [226, 172, 118],
    near: [136, 66, 38],
    accent: [255, 204, 120],
    stars: false,
  },
  {
    name: 'snow',
    asked: /snow|ice|winter|arctic|glacier|cold|white|frost|雪|冰|冬|寒/i,
    sky: [
      [86, 120, 160],
      [168, 192, 212],
      [236, 242, 246],
    ],
    light: [255, 255, 250],
    haze: [206, 220, 232],
    near: [66, 92, 124],
    accent: [255, 222, 180],
    stars: false,
  },
  {
    name: 'aurora',
    asked: /aurora|magic|dream|fantasy|alien|neon|cyber|future|synth|极光|梦|幻|霓虹|未来/i,
    sky: [
      [10, 12, 44],
      [24, 84, 104],
      [108, 214, 168],
    ],
    light: [190, 255, 224],
    haze: [56, 96, 132],
    near: [12, 10, 38],
    accent: [236, 92, 214],
    stars: true,
  },
  {
    name: 'storm',
    asked: /storm|rain|fog|mist|cloud|grey|gray|lonely|sad|雨|雾|云|风暴|灰/i,
    sky: [
      [44, 54, 66],
      [98, 112, 124],
      [176, 184, 184],
    ],
    light: [228, 232, 226],
    haze: [136, 150, 156],
    near: [26, 34, 40],
    accent: [216, 190, 130],
    stars: false,
  },
];
