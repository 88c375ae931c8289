// What the bundler gives for « x?file » is the address of a copy of x.
declare module '*?file' {
  const address: string
  export default address
}
