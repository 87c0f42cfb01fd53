/** How long what people choose may be. Without schemas, so that screens may import it as it is. */

export const LEAST_PASSWORD = 8;
export const MOST_PASSWORD = 128;
