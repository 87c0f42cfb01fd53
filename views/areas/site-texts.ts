/** The text of a privacy notice and code for a site's buttons, which *Privacy* shows below what is needed more often. */
export { SiteTexts } from '../screens/privacy/SiteTexts.tsx';
