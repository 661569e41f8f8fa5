import java.awt.*;
import java.awt.geom.Ellipse2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.*;
import java.util.List;
import javax.imageio.ImageIO;
import javax.swing.*;
import javax.swing.border.EmptyBorder;

/** Windows for Othello and gomoku: DESIGN is the argument; a line of input is FILE;SCALE;DIE;TURN;LAST;MOVES;CELLS. */
public class LineGames {
    static String[] cells;
    static List<String> last;
    static double scale;

    static Graphics2D smooth(Graphics pen) {
        Graphics2D smooth = (Graphics2D) pen;
        smooth.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        smooth.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        return smooth;
    }

    static long count(String side) { return Arrays.stream(cells).filter(side::equals).count(); }

    /** A square of Othello: a raised button with a disc. */
    static class Square extends JButton {
        final String text;

        Square(String text) {
            this.text = text;
            setBackground(new Color(34, 139, 34));
            setBorder(BorderFactory.createRaisedBevelBorder());
            setPreferredSize(new Dimension((int) (70 * scale), (int) (70 * scale)));
        }

        protected void paintComponent(Graphics plain) {
            super.paintComponent(plain);
            if (text.equals(".")) return;
            Graphics2D pen = smooth(plain);
            int size = Math.min(getWidth(), getHeight()) * 5 / 7;
            int x = (getWidth() - size) / 2, y = (getHeight() - size) / 2;
            boolean black = text.equals("X");
            Color top = black ? new Color(90, 90, 90) : Color.WHITE;
            Color bottom = black ? Color.BLACK : new Color(190, 190, 190);
            pen.setPaint(new GradientPaint(x, y, top, x + size, y + size, bottom));
            pen.fillOval(x, y, size, size);
        }
    }

    static JPanel squares() {
        JPanel grid = new JPanel(new GridLayout(8, 8));
        for (String text : cells) grid.add(new Square(text));
        grid.setBorder(BorderFactory.createTitledBorder("Board"));
        return grid;
    }

    /** Points of gomoku on planks, stones with a shadow, a square around the last one. */
    static class Planks extends JPanel {
        public Dimension getPreferredSize() { return new Dimension((int) (640 * scale), (int) (640 * scale)); }

        protected void paintComponent(Graphics plain) {
            Graphics2D pen = smooth(plain);
            int step = getHeight() / 16, full = getHeight(), start = (full - 14 * step) / 2;
            Random grain = new Random(5);
            for (int y = 0; y < full; y++) {
                int tone = grain.nextInt(14) + (y * 5 / full % 2) * 8;
                pen.setColor(new Color(196 + tone, 138 + tone, 74 + tone));
                pen.drawLine(0, y, full, y);
            }
            pen.setColor(new Color(60, 30, 10));
            for (int k = 0; k < 15; k++) {
                pen.setStroke(new BasicStroke(k % 14 == 0 ? 3 : 1));
                pen.drawLine(start, start + k * step, start + 14 * step, start + k * step);
                pen.drawLine(start + k * step, start, start + k * step, start + 14 * step);
            }
            for (int place : new int[] {48, 56, 112, 168, 176})
                pen.fillRect(start + place % 15 * step - 3, start + place / 15 * step - 3, 7, 7);
            for (int place = 0; place < 225; place++) {
                if (cells[place].equals(".")) continue;
                double size = step * 0.88, corner = start - size / 2;
                double x = corner + place % 15 * step, y = corner + place / 15 * step;
                pen.setColor(new Color(0, 0, 0, 90));
                pen.fill(new Ellipse2D.Double(x + 3, y + 3, size, size));
                boolean black = cells[place].equals("X");
                Color light = black ? new Color(120, 120, 120) : Color.WHITE;
                Color[] tones = {light, black ? Color.BLACK : new Color(205, 205, 200)};
                Point at = new Point((int) (x + size * 0.35), (int) (y + size * 0.3));
                pen.setPaint(new RadialGradientPaint(at, (float) size * 0.6f, new float[] {0.05f, 1}, tones));
                pen.fill(new Ellipse2D.Double(x, y, size, size));
                pen.setColor(Color.RED);
                if (last.contains("" + place))
                    pen.drawRect((int) (x + size / 3), (int) (y + size / 3), step / 3, step / 3);
            }
        }
    }

    public static void main(String[] words) throws Exception {
        boolean othello = words[0].startsWith("othello");
        for (Scanner input = new Scanner(System.in); input.hasNextLine(); ) {
            String[] fields = input.nextLine().split(";");
            cells = fields[6].split(" ");
            last = Arrays.asList(fields[4].split(" "));
            scale = Double.parseDouble(fields[1]);
            String whose = fields[3].equals("0") ? "Black" : "White";
            JFrame frame = new JFrame(othello ? "Othello - CS2 final project" : "Gobang");
            frame.add(othello ? squares() : new Planks(), BorderLayout.CENTER);
            JPanel side = new JPanel(othello ? new FlowLayout() : new GridLayout(9, 1, 0, 12));
            side.setBorder(new EmptyBorder(10, 14, 10, 14));
            side.add(new JLabel(whose + "'s turn"));
            if (othello) side.add(new JLabel("     Black: " + count("X") + "   White: " + count("O") + "     "));
            for (String label : new String[] {"Restart", "Undo", "About"}) side.add(new JButton(label));
            frame.add(side, othello ? BorderLayout.NORTH : BorderLayout.EAST);
            frame.setLocation(40, 30);
            frame.pack();
            frame.setVisible(true);
            Thread.sleep(900);
            JRootPane all = frame.getRootPane(); // a busy machine may not have painted it by then
            SwingUtilities.invokeAndWait(() -> all.paintImmediately(0, 0, all.getWidth(), all.getHeight()));
            Toolkit.getDefaultToolkit().sync();
            Thread.sleep(300);
            BufferedImage shot = new Robot().createScreenCapture(frame.getBounds());
            ImageIO.write(shot, "png", new File(fields[0]));
            frame.dispose();
        }
        System.exit(0);
    }
}
