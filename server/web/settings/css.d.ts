// Vite takes imported stylesheets out of the script.
declare module '*.css'
