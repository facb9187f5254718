declare module '*.css';

/** The bundled code of `*Worker.ts`. */
declare module '*.worker' {
  const code: string;
  export default code;
}
